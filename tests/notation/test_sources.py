"""Many records in one file, in archives and from standard input."""

import gzip
import io
import os
import sys
import tracemalloc
import zipfile
from random import Random

import pytest
from support.tables import rows
from support.written import written

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation import sources as module
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.sources import Source, read, read_all, sources_in

A = '[Game "kaiser"]\nred: pass\n'


def names(path: object) -> list[str]:
    """What is in a file: the names of its records, and errors."""
    return [str(one) if isinstance(one, UnreadableInput) else one.name for one in sources_in(str(path))]


def test_random_records_in_one_file_are_read_as_alone(tmp_path):
    file = tmp_path / "many.game"
    for seed in range(40):
        random = Random(seed)
        texts = [written(random.randrange(10_000)) for _ in range(random.randint(2, 5))]
        whole = random.choice(["\n\n", "\r\n\r\n", "\r\r"]).join(texts)
        file.write_bytes(whole.encode())
        found = list(sources_in(str(file)))
        assert len(found) == len(texts), seed
        assert "".join(one.text for one in found if isinstance(one, Source)) == whole
        for number, (one, text) in enumerate(zip(found, texts, strict=True), 1):
            assert isinstance(one, Source)
            alone, record = parse_record(text), one.record()
            assert (record, record.path, record.number) == (alone, f"{file}#{number}", number)
            assert read(f"{file}#{number}") == alone
            lines = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            for item in record.items:
                line = lines[item.line - 1].replace("\ufeff", "")
                assert line[item.column - 1 : item.column].isalpha(), (seed, item)


@pytest.mark.parametrize(("text", "count"), rows("notation/faults", "records"))
def test_a_tag_game_begins_the_next_record(text, count, tmp_path):
    file = tmp_path / "a.game"
    file.write_text(text, encoding="utf-8")
    found = list(sources_in(str(file)))
    assert len(found) == int(count)
    assert [one.name for one in found if isinstance(one, Source)][-1] == f"{file}" + f"#{count}" * (count != "1")


def test_an_error_in_one_record_does_not_hide_the_next(tmp_path):
    file = tmp_path / "a.game"
    file.write_bytes(A.encode() + b'[Game "kaiser"]\nred: \xff\n' + b'[Game "x"] red: f(\n' + A.encode())
    found = [one for one in sources_in(str(file)) if isinstance(one, Source)]
    errors = []
    for one in found:
        try:
            one.record()
        except UnreadableInput as error:
            errors.append(str(error))
    assert errors == [
        f"{file}:4:6: this is not a text in UTF-8 (byte 0xff)",
        f"{file}:5:19: expected a name or a number after 'f(', found the end: the '(' in line 5 is not closed",
    ]
    assert [record.items[0].line for record in (found[0].record(), found[3].record())] == [2, 7]
    with pytest.raises(UnreadableInput, match=r"more than one record in it: name one, such as .*#1"):
        read(file)
    with pytest.raises(UnreadableInput, match="there is no record 5 in it, only 4"):
        read(f"{file}#5")
    odd = tmp_path / "a#2"
    odd.write_text(A, encoding="utf-8")
    assert read(odd).path == str(odd)


def test_archives_are_read_as_streams(tmp_path):
    packed = tmp_path / "a.game.gz"
    packed.write_bytes(gzip.compress(A.encode()) + gzip.compress(A.encode()) + b"\0\0")
    assert names(packed) == [f"{packed}#1", f"{packed}#2"]
    assert len(list(read_all(packed))) == 2
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in (
            "b/z.game",
            "a.game",
            "b/.hidden.game",
            "b/other.txt",
            "/etc/x.game",
            "../y.game",
            "b/../../z.game",
        ):
            file.writestr(name, A * (2 if name == "a.game" else 1))
        file.writestr("n.game", archive.read_bytes() or "PK\x03\x04")
    outside = "this member of the archive has a name outside of it"
    assert names(archive) == [
        f"{archive}/../y.game: {outside}",
        f"{archive}//etc/x.game: {outside}",
        f"{archive}/a.game#1",
        f"{archive}/a.game#2",
        f"{archive}/b/../../z.game: {outside}",
        f"{archive}/b/z.game",
        f"{archive}/n.game: cannot be read: a ZIP archive is read from a file only, not from a stream or an archive",
    ]
    assert read(f"{archive}/b/z.game").path == f"{archive}/b/z.game"
    assert read(f"{archive}/a.game#2").number == 2
    for wrong in (f"{archive}/no.game", f"{archive}/../y.game"):
        with pytest.raises(UnreadableInput):
            read(wrong)


def test_damaged_archives_end_clearly_and_what_came_before_is_read(tmp_path):
    many = "".join(A.replace("pass", f"f({n},{n * n % 7919})") for n in range(20_000)).encode()
    packed = tmp_path / "a.game.gz"
    whole = gzip.compress(many)
    packed.write_bytes(whole[: len(whole) // 2])
    *found, last = names(packed)
    assert len(found) > 5_000
    assert found[-1] == f"{packed}#{len(found)}"
    line = 2 * len(found)
    assert last.startswith(f"{packed}:{line + 1}:") or last.startswith(f"{packed}:{line + 2}:")
    assert last.endswith(f"the compressed file ends in the middle (read until then: {len(found)} whole records)")
    packed.write_bytes(whole[:-5] + b"12345")
    assert "the compressed data are damaged" in names(packed)[-1]
    packed.write_bytes(whole[:3000] + b"garbage" + whole[3007:])
    assert "the compressed data are damaged" in names(packed)[-1]
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.game", many)
    data = archive.read_bytes()
    archive.write_bytes(data.replace(b"f(300,", b"f(3x0,", 1))
    assert "Bad CRC" in names(archive)[-1]
    archive.write_bytes(data[: len(data) // 2])
    assert names(archive) == [f"{archive}: this is no ZIP archive that can be read: File is not a zip file"]


def test_bombs_end_soon(tmp_path, monkeypatch):
    bomb = tmp_path / "bomb.game.gz"
    with gzip.open(bomb, "wb", 1) as file:
        for _ in range(90):
            file.write(b" " * 2**20)
        file.write(A.encode())
    monkeypatch.setattr(module, "_MOST_SKIPPED", 2**20)
    assert names(bomb) == [f"{bomb}: the text is larger than 8 MB"]
    monkeypatch.setattr(module, "MAX_UNPACKED", 2**20)
    packed = tmp_path / "a.game.gz"
    packed.write_bytes(gzip.compress(A.encode() * 60_000))
    assert "it unpacks to more than 0 GB" in names(packed)[-1]
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("a.game", A * 60_000)
    assert names(archive) == [f"{archive}: it unpacks to more than 0 GB"]


def test_a_record_that_is_too_large_does_not_hide_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 2**12)
    file = tmp_path / "a.game"
    file.write_text(A + '[Game "x"]\n' + " \n" * 3000 + A, encoding="utf-8")
    assert names(file) == [f"{file}#1", f"{file}:3:1: record 2: the text is larger than 8 MB", f"{file}#3"]


@pytest.mark.parametrize("data", [A.encode() * 3, gzip.compress(A.encode() * 3)], ids=["text", "gzip"])
def test_standard_input_is_read_as_a_stream(data, monkeypatch):
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdin", stream)
    assert names("-") == ["-#1", "-#2", "-#3"]


def test_memory_does_not_grow_with_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 2**16)
    file = tmp_path / "a.game"
    file.write_text((A + "% " + "x" * 5000 + "\n") * 1000, encoding="utf-8")
    assert os.path.getsize(file) > 4 * 2**20
    tracemalloc.start()
    assert sum(1 for _ in sources_in(str(file))) == 1000
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()
