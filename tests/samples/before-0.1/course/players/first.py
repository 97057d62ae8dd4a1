def choose(position):
    return position.legal_moves()[0]
