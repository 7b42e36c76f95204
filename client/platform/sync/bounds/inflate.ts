import { Refusal } from '#shared/sync/refusals.ts';

/**
 * Decompresses parts of a message (raw deflate), and never more than a limit.
 * @returns the results by where the parts are in the message; null where the browser cannot decompress (before 2023)
 * @throws Refusal
 */
export async function inflateAll(
  parts: readonly Uint8Array[],
  maxBytes: number,
): Promise<Map<number, Uint8Array> | null> {
  if (typeof DecompressionStream === 'undefined') return null;
  const inflated = new Map<number, Uint8Array>();
  let left = maxBytes;
  for (const part of parts) {
    const bytes = await inflate(part, left);
    left -= bytes.length;
    inflated.set(part.byteOffset, bytes);
  }
  return inflated;
}

async function inflate(part: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  // Its failure is also that of reading.
  writer.write(part as Uint8Array<ArrayBuffer>).catch(() => {});
  writer.close().catch(() => {});
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > maxBytes) throw new Refusal('too_large', 'inflates too far');
      chunks.push(value);
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error instanceof Refusal ? error : new Refusal('invalid', 'cannot be decompressed');
  }
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
