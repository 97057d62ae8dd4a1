"""The command line: one file or folder for each command.

A module that declares a command imports little; the rest is imported when the command runs.
"""
