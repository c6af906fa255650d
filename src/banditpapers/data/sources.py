"""What each set of ratings is: its files by name, size and SHA-256, its official address, and the package that ships it.

Nothing of these sets is part of this project: MovieLens may not be passed on, and Jester is for research that cites it.

    MovieLens: Harper & Konstan, The MovieLens datasets: history and context, ACM TiiS 5(4), 2015
    Jester:    Goldberg, Roeder, Gupta & Perkins, Eigentaste: a constant time collaborative filtering algorithm, 2001
"""

from typing import NamedTuple


class File(NamedTuple):
    """A file that is known by its bytes. source: what a figure says of ratings from it.

    size: 0 where only the hash has been published. form: how its text is laid out, see ratings.py.
    member: of an archive, the ratings in it.
    """

    name: str
    size: int
    sha256: str
    source: str
    form: str
    member: str = ""

    @property
    def described(self) -> str:
        """For a person who looks for it."""
        size = f"{self.size:,} bytes, " if self.size else ""
        return f"{self.name} ({size}SHA-256 {self.sha256})"


class Source(NamedTuple):
    """A set of ratings. official: address and what is there. pin, member: the package on the registry, and the file of its wheel.

    wanted: the file to look for by hand. alterable: the file whose known alterations are repaired; last_row: its last row.
    """

    name: str
    title: str
    files: tuple[File, ...]
    official: tuple[tuple[str, File], ...]
    pin: str
    member: str
    packaged: File
    wanted: File
    alterable: File | None = None
    last_row: bytes = b""


U_DATA = File("u.data", 1_979_173, "06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490", "MovieLens-100k", "tabs")
INTER = File(
    "ml-100k.inter",
    1_979_230,
    "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff",
    "MovieLens-100k from recbole 1.2.1",
    "tabs below a header",
)
HUNDRED_THOUSAND = File(
    "ml-100k.zip",
    4_924_029,
    "50d2a982c66986937beb9ffb3aa76efe955bf3d5c6b761f4e3a7cd717c6a3229",
    "MovieLens-100k from GroupLens",
    "tabs",
    "ml-100k/u.data",
)
MILLION = File(
    "ml-1m.zip",
    0,
    "a6898adb50b9ca05aa231689da44c217cb524e7ebd39d264c56e2832f2c54e20",
    "MovieLens-1M from GroupLens",
    "colons",
    "ml-1m/ratings.dat",
)
FIRST_THOUSAND = File(
    "jester-dataset-v1-dense-first-1000.csv",
    529_543,
    "1d4dd8e8160e5746f8b0b52c1a04eaa07d44f328af2942551c14b2fa4f2eba4c",
    "Jester 1, first 1000 complete users, from pymc3 3.1",
    "csv",
)
PART_ONE = File(
    "jester_dataset_1_1.zip",
    4_171_628,
    "cb7841756ded125b15f3d95c9f8241224065e96354c132a46ae4214deeab7615",
    "Jester 1, part 1",
    "xls",
    "jester-data-1.xls",
)

SOURCES = {
    "movielens": Source(
        name="movielens",
        title="MovieLens",
        files=(U_DATA, HUNDRED_THOUSAND, INTER, MILLION),
        official=(("https://files.grouplens.org/datasets/movielens/ml-100k.zip", HUNDRED_THOUSAND),),
        pin="recbole==1.2.1",
        member="recbole/dataset_example/ml-100k/ml-100k.inter",
        packaged=INTER,
        wanted=U_DATA,
        alterable=U_DATA,
        last_row=b"12\t203\t3\t879959583\n",
    ),
    "jester": Source(
        name="jester",
        title="Jester",
        files=(FIRST_THOUSAND, PART_ONE),
        official=(("https://eigentaste.berkeley.edu/dataset/jester_dataset_1_1.zip", PART_ONE),),
        pin="pymc3==3.1",
        member="pymc3/examples/data/pmf/jester-dataset-v1-dense-first-1000.csv",
        packaged=FIRST_THOUSAND,
        wanted=FIRST_THOUSAND,
    ),
}
