import { Binary, type Db } from 'mongodb';

/** Whether a value contains one of these texts at any depth. Bytes are read as text. */
function contains(value: unknown, texts: string[]): boolean {
  if (typeof value === 'string') return texts.some((text) => value.includes(text));
  if (value instanceof Binary) return contains(Buffer.from(value.buffer).toString('latin1'), texts);
  if (value instanceof Uint8Array) return contains(Buffer.from(value).toString('latin1'), texts);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => contains(key, texts) || contains(part, texts));
}

/** Returns the rows of all collections that contain one of these texts, as `collection: id`. */
export async function findTracesIn(db: Db, texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await db.listCollections().toArray())
    for await (const row of db.collection(name).find())
      if (contains(row, texts)) found.push(`${name}: ${JSON.stringify(row._id)}`);
  return found;
}
