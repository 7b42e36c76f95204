/** Reads the numbers and slices of Automerge's binary formats. Throws at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('unexpected end');
    return byte;
  }

  /** Reads an unsigned LEB128 number of at most 35 bits: a count or length. */
  count(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('count out of range');
  }

  /** Reads a signed LEB128 number of at most 35 bits: a run length. */
  signedCount(): number {
    return this.signedNumber(35);
  }

  /** Reads a signed LEB128 number of up to 70 bits; large ones lose precision. */
  signedNumber(maxBits = 70): number {
    let value = 0;
    for (let shift = 0; shift < maxBits; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw new Error('number out of range');
  }

  /** Skips a LEB128 number of up to 70 bits. */
  skipNumber(): void {
    for (let i = 0; i < 10; i++) if (this.byte() < 0x80) return;
    throw new Error('number out of range');
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('unexpected end');
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return slice;
  }

  skip(length: number): void {
    if (this.#at + length > this.#bytes.length) throw new Error('unexpected end');
    this.#at += length;
  }
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns bytes in hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += DIGITS[byte]!;
  return hex;
}
