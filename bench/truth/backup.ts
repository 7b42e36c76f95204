import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { createIndexes } from '../../api/app/indexes.ts';
import { createBackup } from '../../scripts/backup/create-backup.ts';
import type { PauseProgram } from '../../scripts/backup/read-consistently.ts';
import { restoreBackup } from '../../scripts/backup/restore-backup.ts';

/** Not the program that runs the histories: it pauses the writes of a MongoDB that has no snapshots. */
const pauseProgram: PauseProgram = {
  script: 'scripts/cli/admin.ts',
  execArgv: ['--import', 'tsx'],
};

/** The newest backup of a history, as administrators create and restore it. */
export class Backup {
  readonly #db: Db;
  readonly #common: { uri: string; database: string; key: Buffer; pauseProgram: PauseProgram };
  readonly #syncSecret: string;
  #folder: string | null = null;
  #path: string | null = null;

  constructor(db: Db, { MONGODB_URI = '', SYNC_SECRET = '' }: Record<string, string>) {
    this.#db = db;
    this.#syncSecret = SYNC_SECRET;
    this.#common = {
      uri: MONGODB_URI,
      database: db.databaseName,
      key: randomBytes(32),
      pauseProgram,
    };
  }

  async create(): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'leashwise-truth-'));
    const { path } = await createBackup({
      ...this.#common,
      kind: 'full',
      target: this.#folder,
      syncSecret: this.#syncSecret,
    });
    this.#path = path;
  }

  /** Restores it, with what the replaced data says was deleted since. No server may be running. */
  async restore(): Promise<void> {
    if (this.#path === null) return;
    await restoreBackup({
      ...this.#common,
      archive: this.#path,
      isReplacing: true,
      syncSecret: this.#syncSecret,
      replacedSecret: this.#syncSecret,
      storeSecret() {},
      log() {},
    });
    await createIndexes(this.#db);
  }

  async remove(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true });
  }
}
