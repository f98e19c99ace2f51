// The names under which records are saved. A name of a known file with another text is not used, so nothing is overwritten.

export class Files {
  constructor() {
    this.texts = new Map();
  }

  /** Notes the text of a file that has been opened or saved; null if it is not known any more. */
  learn(name, text) { this.texts.set(name.toLowerCase(), text); }

  /** The file name for a text: the record's own, with a number if a file of that name has another text. */
  propose(record, text) {
    const stem = record.replace(/\.game$/i, "").replace(/[^\w.-]+/g, "-") || "record";
    for (let n = 1; ; n++) {
      const name = n === 1 ? `${stem}.game` : `${stem}-${n}.game`, known = this.texts.get(name.toLowerCase());
      if (known === undefined || known === text) return name;
    }
  }
}
