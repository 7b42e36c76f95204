import type { Db } from 'mongodb';
import type { CardRow } from '#shared/server/collections.ts';
import type { Indexes } from '../../platform/database.ts';

export const cards = (db: Db) => db.collection<CardRow>('cards');

export const profileIndexes: Indexes = {
  // For lookups of a dog by id.
  cards: [
    { key: { 'dogs.id': 1 } },
    { key: { name_words: 1 } },
    // When documents are removed.
    { key: { document_id: 1 } },
    { key: { is_checked: 1 }, partialFilterExpression: { is_checked: false } },
  ],
};
