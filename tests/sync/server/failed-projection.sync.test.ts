import { randomUUID } from 'node:crypto';
import { Binary } from 'mongodb';
import { pino } from 'pino';
import { expect, inject, test, vi } from 'vitest';
import { Compaction } from '../../../sync-server/core/compaction.ts';
import { openDatabase, type LogRow } from '../../../sync-server/core/database.ts';
import { Documents } from '../../../sync-server/core/documents/documents.ts';
import {
  applyNamedChange,
  initialDocument,
  namedChange,
} from '../../../sync-server/core/documents/named-changes.ts';
import { ChangeLog } from '../../../sync-server/core/storage/change-log.ts';
import { FriendCards } from '../../../sync-server/plugins/friend-cards.ts';
import { Projections } from '../../../sync-server/plugins/projections.ts';

test.each(['closed', 'open again'])(
  'a write that is carried out after its document failed is projected while the document is %s, and the failure ends',
  async (state) => {
    const name = `failed-${randomUUID()}`;
    const database = await openDatabase(inject('mongodbUri'), name);
    const logger = pino({ level: 'silent' });
    const late: LogRow[] = [];
    const log = new ChangeLog(
      {
        log: {
          async insertOne(row: LogRow) {
            late.push(row);
            throw new Error('no answer');
          },
        } as unknown as typeof database.log,
      },
      () => {},
    );
    const projections = new Projections(database, logger, () => {});
    const nothing = () => {};
    const documents = new Documents({
      database,
      log,
      projections,
      logger,
      onFailure: nothing,
      onProjected: nothing,
    });
    const friendCards = new FriendCards({
      database,
      documents,
      charge: nothing,
      refused: projections.refused,
      logger,
    });
    const compaction = new Compaction({
      database,
      documents,
      projections,
      friendCards,
      writer: log.writer,
      logger,
    });
    const id = 'CardCardCardCardCardCardCard';
    await database.documents.insertOne({
      _id: id,
      kind: 'card',
      owner_user_id: 'ann',
      reader_user_ids: [],
      snapshot: new Binary(
        initialDocument(id, {
          kind: 'card',
          ownerUserId: 'ann',
          createdAt: new Date().toISOString(),
        }).saved,
      ),
      snapshot_version: 0,
      snapshot_at: new Date(),
      created_at: new Date(),
    });
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now');
    try {
      const open = (await documents.open(id))!;
      const save = namedChange('card', 'profile.save')!;
      await expect(applyNamedChange(open, save, { display_name: 'Ann' }, nothing)).rejects.toThrow(
        'no answer',
      );
      expect(documents.hasFailed).toBe(true);
      if (state === 'open again') await documents.open(id);
      await compaction.projectFailed();
      await database.log.insertMany(late);
      clock.mockImplementation(() => now() + 11_000);
      await compaction.projectFailed();
      const card = await database.cards.findOne({ _id: 'ann' });
      expect(card).toMatchObject({ display_name: 'Ann' });
      expect(documents.hasFailed).toBe(false);
    } finally {
      clock.mockRestore();
      await projections.settled();
      await database.client.db(name).dropDatabase();
      await database.client.close();
    }
  },
);
