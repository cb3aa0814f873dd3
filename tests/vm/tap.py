"""tests/vm/tap.py: what a check says."""


class Tap:
    def __init__(self):
        self.n = self.n_failed = 0

    def ok(self, what, passed, why=""):
        self.n += 1
        self.n_failed += not passed
        print(f"{'' if passed else 'not '}ok {self.n} - {what}", flush=True)
        if not passed and str(why):
            print("\n".join(f"# {line}" for line in str(why).splitlines()), flush=True)
        return passed

    def skip(self, what, why):
        self.n += 1
        print(f"ok {self.n} - {what} # SKIP {why}", flush=True)

    def equal(self, what, got, want):
        return self.ok(what, got == want, f"got:  {got}\nwant: {want}")

    def within(self, what, got, want, error, unit="s"):
        """Two figures that should agree; they are printed, so that a passed check says by how much."""
        return self.ok(f"{what}: {got:.3f} against {want:.3f} {unit}, at most {error} apart",
                       abs(got - want) <= error)

    def say(self, text):
        for line in str(text).splitlines():
            print(f"# {line}", flush=True)
