/** A document that a device has, and which state of it: see `stateOf`. */
export interface Claim {
  documentId: string;
  state: string;
}

/** Claims in one message. */
export const CLAIMS_MAX = 500;
/** A document with more heads than this is not compared. */
const HEADS_MAX = 8;
/** Of each head; it is a hash, and whoever makes two alike deceives nobody but themselves. */
const HEAD_BYTES = 10;
const ID_MAX = 64;

/** Names a state of a document by its heads (hexadecimal, in any order); null where there are none, or too many. */
export function stateOf(heads: readonly string[]): string | null {
  if (heads.length === 0 || heads.length > HEADS_MAX) return null;
  return heads
    .map((head) => head.slice(0, 2 * HEAD_BYTES))
    .toSorted()
    .join('');
}

/** Writes claims: for each the length of its id, the id, the number of heads, and the beginning of each. */
export function writeClaims(claims: readonly Claim[]): Uint8Array {
  const bytes = new Uint8Array(
    claims.reduce(
      (sum, { documentId, state }) => sum + 2 + documentId.length + state.length / 2,
      0,
    ),
  );
  let at = 0;
  for (const { documentId, state } of claims) {
    bytes[at++] = documentId.length;
    for (let i = 0; i < documentId.length; i++) bytes[at++] = documentId.charCodeAt(i);
    bytes[at++] = state.length / 2 / HEAD_BYTES;
    for (let i = 0; i < state.length; i += 2)
      bytes[at++] = Number.parseInt(state.slice(i, i + 2), 16);
  }
  return bytes;
}

/** @throws when the bytes are no claims, or too many */
export function readClaims(bytes: Uint8Array): Claim[] {
  const claims: Claim[] = [];
  let at = 0;
  const take = (most: number, width: number) => {
    const count = bytes[at++];
    if (count === undefined || count === 0 || count > most) throw new Error('no claim');
    const taken = bytes.subarray(at, (at += count * width));
    if (taken.length < count * width) throw new Error('bytes end too soon');
    return taken;
  };
  while (at < bytes.length) {
    const documentId = String.fromCharCode(...take(ID_MAX, 1));
    let state = '';
    for (const byte of take(HEADS_MAX, HEAD_BYTES)) state += byte.toString(16).padStart(2, '0');
    if (claims.push({ documentId, state }) > CLAIMS_MAX) throw new Error('too many claims');
  }
  return claims;
}

/** Writes which of the claims hold, in their order: a bit each. */
export function writeVerdicts(verdicts: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(verdicts.length / 8));
  for (const [i, holds] of verdicts.entries()) if (holds) bytes[i >> 3]! |= 1 << (i & 7);
  return bytes;
}

/** Whether the claim at this place holds; what the bytes do not say does not. */
export const readVerdict = (bytes: Uint8Array, i: number): boolean =>
  ((bytes[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
