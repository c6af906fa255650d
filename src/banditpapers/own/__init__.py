"""Algorithms of your own: a file outside of this package beside the papers' algorithms, in their exhibits.

problems    what a class has to have, by problem
classes     a file read, and refused in a sentence
entries     the configuration's key `algorithms`, as cells are made of it
keys        the code key of a file and of what it imports beside it
playing     simulations find such an algorithm by its name
k_armed, linear, constrained, best_arm     the loops: who asks, who answers, what is recorded
showing     their rows in tidy tables, their lines in pictures

Without the key `algorithms` nothing of this is imported. Where it takes part in what is there already (`playing`, `showing`), it is put in
from outside for the time of one job: so the code keys of all other results stay as they are.
"""
