from .filling import *
class Between:
    def __init__(self, stretch, max_gap, deadline, progress): self.fault=None; self.s=stretch
    def __iter__(self):
        if self.s.end and {str(t) for t in self.s.end.terms}==self.s.start.facts: yield self.s.items
        else: raise NotImplementedError
