/** Reads the numbers and slices that Automerge's formats are made of. Throws where the bytes end too soon. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('bytes end too soon');
    return byte;
  }

  /** An unsigned LEB128 number that counts or measures something, so that it must be small. */
  count(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('a count out of bounds');
  }

  /** A signed LEB128 number that counts something. */
  signedCount(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw new Error('a count out of bounds');
  }

  /** A signed LEB128 number of any size that an Automerge value may have; of large ones, about. */
  signedNumber(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw new Error('a number out of bounds');
  }

  /** Passes over a LEB128 number of any size that an Automerge value may have. */
  skipNumber(): void {
    for (let i = 0; i < 10; i++) if (this.byte() < 0x80) return;
    throw new Error('a number out of bounds');
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('bytes end too soon');
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return slice;
  }

  skip(length: number): void {
    if (this.#at + length > this.#bytes.length) throw new Error('bytes end too soon');
    this.#at += length;
  }
}
