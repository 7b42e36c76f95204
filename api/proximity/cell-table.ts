/** A block is so many cells high and wide, as a power of two. */
const BLOCK_BITS = 2;
const WITHIN_BLOCK = 2 ** BLOCK_BITS - 1;
const CELLS = 4 ** BLOCK_BITS;
/** So many neighbouring blocks lie side by side in the table, as a power of two: in one line of the processor's cache. */
const GROUP_BITS = 2;
const WITHIN_GROUP = 2 ** GROUP_BITS - 1;
/** What an entry holds: its block's band and column, where its cells are (0: the entry is free), and how many are taken. */
const BAND = 0;
const COLUMN = 1;
const BLOCK = 2;
const TAKEN = 3;
const ENTRY = 4;
/** Blocks that were asked for lately are remembered, so many in each direction. */
const LATELY = 8;

/** Rows that lie in one band share their blocks, and so must have their columns at the same longitudes. */
export const ROWS_IN_BAND = 2 ** BLOCK_BITS;

/**
 * A positive integer for each cell (row, column) that has one. Almost all cells of a country are empty, and a report asks about
 * a hundred and more around it: so cells are kept by blocks, in an open hash table of plain integers. A look-up costs a miss of the
 * processor's cache a block instead of several a cell, and the garbage collector has nothing to trace, however many there are.
 */
export class CellTable {
  #entries = new Int32Array(ENTRY * 64);
  #mask = 63;
  #used = 0;
  /** The cells of all blocks; the first one stands for no block. */
  #cells = new Int32Array(CELLS * 32);
  #blocks = 1;
  /** Blocks that are empty again. */
  readonly #spare: number[] = [];
  /** Band, column and block of what was asked for lately; block 0: there is none. */
  readonly #lately = new Int32Array(3 * LATELY * LATELY).fill(-1);

  /** What a cell has; 0: nothing. */
  get(row: number, column: number): number {
    const block = this.#blockAt(row >> BLOCK_BITS, column >> BLOCK_BITS);
    return block === 0 ? 0 : (this.#cells[cellOf(block, row, column)] ?? 0);
  }

  /** @param value what the cell has from now on; 0: nothing */
  set(row: number, column: number, value: number): void {
    const band = row >> BLOCK_BITS;
    const blockColumn = column >> BLOCK_BITS;
    const slot = this.#find(band, blockColumn);
    let block = this.#entries[slot + BLOCK] ?? 0;
    if (block === 0) {
      if (value === 0) return;
      block = this.#open(slot, band, blockColumn);
    }
    const at = cellOf(block, row, column);
    const change = Number(value !== 0) - Number(this.#cells[at] !== 0);
    this.#cells[at] = value;
    if (change === 0) return;
    // A block that was just opened may have moved its entry.
    const entry = this.#find(band, blockColumn);
    const taken = (this.#entries[entry + TAKEN] ?? 0) + change;
    this.#entries[entry + TAKEN] = taken;
    if (taken === 0) this.#close(entry, block);
  }

  #blockAt(band: number, column: number): number {
    const at = latelyAt(band, column);
    const lately = this.#lately;
    if (lately[at] === band && lately[at + 1] === column) return lately[at + 2] ?? 0;
    const block = this.#entries[this.#find(band, column) + BLOCK] ?? 0;
    this.#remember(band, column, block);
    return block;
  }

  #remember(band: number, column: number, block: number): void {
    const at = latelyAt(band, column);
    this.#lately[at] = band;
    this.#lately[at + 1] = column;
    this.#lately[at + 2] = block;
  }

  /** Where a block's entry is, or the free one where it would be. */
  #find(band: number, column: number): number {
    const entries = this.#entries;
    let index = home(band, column) & this.#mask;
    for (;;) {
      const at = index * ENTRY;
      if (entries[at + BLOCK] === 0) return at;
      if (entries[at + BAND] === band && entries[at + COLUMN] === column) return at;
      index = (index + 1) & this.#mask;
    }
  }

  #open(slot: number, band: number, column: number): number {
    const block = this.#spare.pop() ?? this.#blocks++;
    if (block * CELLS >= this.#cells.length) this.#cells = twice(this.#cells);
    this.#fill(slot, band, column, block, 0);
    this.#used += 1;
    this.#remember(band, column, block);
    // Half empty, so that most looks find what they look for, or that it is not there, at once.
    if (this.#used * 2 > this.#mask) this.#grow();
    return block;
  }

  #fill(slot: number, band: number, column: number, block: number, taken: number): void {
    this.#entries[slot + BAND] = band;
    this.#entries[slot + COLUMN] = column;
    this.#entries[slot + BLOCK] = block;
    this.#entries[slot + TAKEN] = taken;
  }

  #grow(): void {
    const old = this.#entries;
    this.#entries = new Int32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let at = 0; at < old.length; at += ENTRY)
      if (old[at + BLOCK] !== 0) this.#layAnew(old, at);
  }

  /** Takes an entry from where it is, and puts it where it is looked for now. */
  #layAnew(from: Int32Array, at: number): void {
    const band = from[at + BAND] ?? 0;
    const column = from[at + COLUMN] ?? 0;
    const block = from[at + BLOCK] ?? 0;
    const taken = from[at + TAKEN] ?? 0;
    from[at + BLOCK] = 0;
    this.#fill(this.#find(band, column), band, column, block, taken);
  }

  /** Frees an entry, and lays those behind it anew that it stood in the way of. */
  #close(slot: number, block: number): void {
    this.#remember(this.#entries[slot + BAND] ?? 0, this.#entries[slot + COLUMN] ?? 0, 0);
    this.#spare.push(block);
    this.#used -= 1;
    this.#entries[slot + BLOCK] = 0;
    let index = slot / ENTRY;
    for (;;) {
      index = (index + 1) & this.#mask;
      const at = index * ENTRY;
      if (this.#entries[at + BLOCK] === 0) return;
      this.#layAnew(this.#entries, at);
    }
  }
}

const cellOf = (block: number, row: number, column: number): number =>
  block * CELLS + ((row & WITHIN_BLOCK) << BLOCK_BITS) + (column & WITHIN_BLOCK);

const latelyAt = (band: number, column: number): number =>
  3 * ((band % LATELY) * LATELY + (column % LATELY));

/** Where an entry is looked for first. */
function home(band: number, column: number): number {
  let hash = Math.imul(band, 0x9e3779b1) ^ Math.imul(column >> GROUP_BITS, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) << GROUP_BITS) | (column & WITHIN_GROUP);
}

function twice(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
