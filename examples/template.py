"""A template: copy it, rename the file and the class, keep the methods of your problem (docs/add_an_algorithm.md lists all four)."""

from dataclasses import dataclass


@dataclass
class Template:
    """Explore each arm once, then play the arm with the highest mean but for a share of rounds at random: epsilon-greedy."""

    problem = "k-armed"  # or "linear", "constrained", "best-arm"

    epsilon: float = 0.1  # parameters have defaults; the configuration may set them

    def begin(self, arms, horizon, rng):
        """Before the first round. rng is the only source of randomness; everything learnt is set here, on self."""
        self.plays, self.sums, self.rng = [0] * arms, [0.0] * arms, rng

    def choose(self):
        """The arm to play, 0 to arms - 1."""
        if 0 in self.plays:
            return self.plays.index(0)
        if self.rng.random() < self.epsilon:
            return int(self.rng.integers(len(self.plays)))
        means = [total / n for total, n in zip(self.sums, self.plays, strict=True)]
        return means.index(max(means))

    def update(self, arm, reward):
        """What the arm paid: 0 or 1."""
        self.plays[arm] += 1
        self.sums[arm] += reward
