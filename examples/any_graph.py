"""Boards that are no tilings: a town, a map of regions and a molecule, made by a few lines each.

    python examples/any_graph.py [FOLDER]

writes them as files, so that every game can be played on them:

    ludograph penguins 2 --board town.json line mcts:time=0.5
    ludograph hex --board regions.json mcts:time=0.5 connex
    ludograph flood --board fullerene.json mcts:time=0.5 greedy
"""

import math
import random
import sys
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np

from ludograph import boards
from ludograph.boards import Board


def town(seed: int = 3) -> Board:
    """Return the crossroads of an old town: ring streets around a market, and a river with bridges.

    Streets that run straight on are lines, along which penguins slide and queens move.
    """
    luck = random.Random(seed)
    streets, places = nx.Graph(), {(0, 0): (0.0, 0.0)}
    for ring in range(1, 6):
        for place in range(6 * ring):
            angle = math.tau * (place + luck.uniform(-0.15, 0.15)) / (6 * ring)
            radius = ring + luck.uniform(-0.12, 0.12)
            places[ring, place] = (radius * math.cos(angle), radius * math.sin(angle))
            streets.add_edge((ring, place), (ring, (place + 1) % (6 * ring)))
            if place % ring == 0 or luck.random() < 0.6:  # the six avenues, and other streets
                inside = (ring - 1, round(place * (ring - 1) / ring) % max(1, 6 * (ring - 1)))
                streets.add_edge((ring, place), inside)

    def is_south(node):  # of a river that winds from the west to the east
        x, y = places[node]
        return y > 1.5 + 0.5 * math.sin(1.2 * x)

    crossing = [street for street in streets.edges if is_south(street[0]) != is_south(street[1])]
    crossing.sort(key=lambda street: places[street[0]])
    bridges = crossing[:: len(crossing) // 4]
    streets.remove_edges_from(set(crossing) - set(bridges))
    streets = streets.subgraph(max(nx.connected_components(streets), key=len)).copy()
    nx.set_node_attributes(streets, places, "pos")
    return boards.from_networkx(streets, "town", sides="planar")


def regions(count: int = 90, width: float = 11.0, height: float = 8.0, seed: int = 2) -> Board:
    """Return a map: each region is all land that is nearest to its capital.

    The regions at the coast are the borders of Hex: black's in the north and the south, white's in
    the west and the east. Three regions meet in a point, so one of the two always wins.
    """
    luck = np.random.default_rng(seed)
    capitals = luck.uniform((0, 0), (width, height), (count, 2))
    for _ in range(5):  # move each capital into the middle of its land, so that sizes are similar
        lands = [land(capitals, v, width, height) for v in range(count)]
        capitals = np.array([np.mean([corner for corner, _ in of], axis=0) for of in lands])
    lands = [land(capitals, v, width, height) for v in range(count)]
    edges = {(v, w) for v, of in enumerate(lands) for _, w in of if w > v}
    coasts = [{v for v, of in enumerate(lands) if any(w == -side for _, w in of)} for side in SIDES]
    north, east, south, west = coasts
    ends = np.cumsum([0, *map(len, lands)])
    return boards.from_edges(
        count,
        sorted(edges),
        name="regions",
        positions=capitals,
        outlines=(ends.astype(np.int32), np.array([corner for of in lands for corner, _ in of])),
        marks={
            "black": sorted(north | south),
            "white": sorted((east | west) - north - south),
        },
    )


SIDES = (1, 2, 3, 4)
"""North, east, south and west of a map; behind them is no region, but the sea."""


def land(capitals, v: int, width: float, height: float):
    """Return the polygon of a region: each corner, and what is behind the edge from there."""
    corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    polygon = [(np.array(corner), -side) for corner, side in zip(corners, SIDES, strict=True)]
    for w in np.argsort(((capitals - capitals[v]) ** 2).sum(axis=1)).tolist()[1:]:
        normal = capitals[w] - capitals[v]
        middle = (capitals[w] + capitals[v]) / 2
        kept = []
        for (corner, behind), (following, _) in pairwise([*polygon, polygon[0]]):
            here, there = normal @ (corner - middle), normal @ (following - middle)
            if here <= 0:
                kept.append((corner, behind))
            if (here <= 0) != (there <= 0):
                crossing = corner + (following - corner) * here / (here - there)
                kept.append((crossing, w if here <= 0 else behind))
        polygon = kept
    return polygon


def fullerene() -> Board:
    """Return buckminsterfullerene: sixty atoms of carbon, which are the corners of a football.

    It is the icosahedron with its twelve corners cut off. It has no coordinates, and is laid out.
    """
    ico = nx.icosahedral_graph()
    _, around = nx.check_planarity(ico)
    atoms = nx.Graph()
    for v in ico:
        ring = list(around.neighbors_cw_order(v))
        atoms.add_edges_from(((v, w), (v, after)) for w, after in pairwise([*ring, ring[0]]))
    atoms.add_edges_from(((v, w), (w, v)) for v, w in ico.edges)
    return boards.from_networkx(atoms, "fullerene")


def main() -> None:
    """Write all boards as files."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    for make in (town, regions, fullerene):
        boards.save(make(), folder / f"{make.__name__}.json")


if __name__ == "__main__":
    main()
