import type { Document } from 'mongodb';
import { searchText, searchWords } from '#shared/normalization/search-text.ts';
import type { Migration } from './migration.ts';

/** The collections with words for searches, and their fields. */
const FIELDS: Record<string, readonly string[]> = {
  access_codes: ['words'],
  advertisements: ['words'],
  advertisers: ['words'],
  cards: ['name_words'],
  charities: ['words', 'member_words'],
  emergency_alerts: ['words'],
  hazards: ['words'],
  locations: ['words'],
};
const BATCH_ROWS = 500;

/** Words kept their accents, which searches no longer have. */
const withoutAccents = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => [searchText(word), ...searchWords(word)])),
];

/** The words of rows by which searches find them, in the form of `searchText`. */
export const searchWordsOfRows: Migration = {
  name: '0002-search-words',
  async run(db, proceed) {
    for (const [name, fields] of Object.entries(FIELDS))
      for (const field of fields) {
        const rows = db.collection<Document & { _id: string }>(name);
        const old = rows.find(
          { [field]: /[^\0-\x7f]/ },
          { projection: { [field]: 1 }, sort: { _id: 1 }, batchSize: BATCH_ROWS },
        );
        while (await old.hasNext()) {
          const batch = old.readBufferedDocuments(BATCH_ROWS);
          await rows.bulkWrite(
            batch.map((row) => {
              const words = row[field] as string[];
              // Unless it was changed meanwhile.
              const filter = { _id: row._id, [field]: words };
              return {
                updateOne: { filter, update: { $set: { [field]: withoutAccents(words) } } },
              };
            }),
            { ordered: false },
          );
          proceed();
        }
      }
  },
};
