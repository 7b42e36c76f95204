import { Binary, type Db } from 'mongodb';

/** Whether a value, however deep, has one of these texts in it; bytes are read as text. */
function names(value: unknown, texts: string[]): boolean {
  if (typeof value === 'string') return texts.some((text) => value.includes(text));
  if (value instanceof Binary) return names(Buffer.from(value.buffer).toString('latin1'), texts);
  if (value instanceof Uint8Array) return names(Buffer.from(value).toString('latin1'), texts);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => names(key, texts) || names(part, texts));
}

/** The rows of every collection that have one of these texts in them, as `collection: id`. */
export async function tracesIn(db: Db, texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await db.listCollections().toArray())
    for await (const row of db.collection(name).find())
      if (names(row, texts)) found.push(`${name}: ${JSON.stringify(row._id)}`);
  return found;
}
