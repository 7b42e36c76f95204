import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoClient,
  type MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoWriteConcernError,
  type WriteError,
} from 'mongodb';
import { describe, expect, it } from 'vitest';
import { failureOf, refusalOf } from '#shared/http/http-error.ts';
import { retryFailover } from '../../api/platform/http/retry-failover.ts';
import { freePort } from '../../scripts/stack/ports.ts';

const failed = (code: number, codeName: string) =>
  new MongoServerError({ message: `${codeName} on 10.0.0.1`, code, codeName });

describe('MongoDB errors', () => {
  it.each([
    ['MaxTimeMSExpired', 50],
    ['ShutdownInProgress', 91],
    ['PrimarySteppedDown', 189],
    ['ExceededTimeLimit', 262],
    ['NotWritablePrimary', 10107],
    ['InterruptedAtShutdown', 11600],
    ['InterruptedDueToReplStateChange', 11602],
    ['NotPrimaryNoSecondaryOk', 13435],
    ['NotPrimaryOrSecondary', 13436],
    ['FailedToSatisfyReadPreference', 133],
    ['OutOfDiskSpace', 14031],
  ])('answers temporary MongoDB errors with 503 and Retry-After: %s', (codeName, code) => {
    const refusal = refusalOf(failed(code, codeName));
    expect(refusal.status).toBe(503);
    expect(refusal.headers).toEqual({ 'retry-after': '2' });
    expect(failureOf(refusal)).toEqual({
      error: 'The service isn’t available right now (mongodb). Try again.',
      code: 'unavailable',
    });
  });

  it('answers other MongoDB errors with 500, and lost connections with 503', () => {
    expect(refusalOf(failed(9, 'FailedToParse')).status).toBe(500);
    expect(refusalOf(new MongoNetworkError('gone')).status).toBe(503);
  });
});

const noResult = {} as BulkWriteResult;
/** The driver does not export the class. */
const operation = (index: number, code: number, errmsg: string) =>
  ({ index, code, errmsg }) as WriteError;
const labeled = (error: MongoError, label: string) => {
  error.addErrorLabel(label);
  return error;
};

/** Recorded from MongoDB 6.0.5 with three members, while a primary stepped down, shut down, was killed, or was halted. */
const RECORDED: [string, () => unknown][] = [
  [
    'a bulk write whose primary was killed',
    () => new MongoBulkWriteError(new MongoNetworkError('read ECONNRESET'), noResult),
  ],
  [
    'a large command whose connection ended while it was written',
    () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
  ],
  [
    'a bulk write whose connection was closed',
    () =>
      new MongoBulkWriteError(
        new MongoNetworkError('connection 24 to 127.0.0.1:29101 closed'),
        noResult,
      ),
  ],
  [
    'a bulk write interrupted while waiting for a majority',
    () => new MongoBulkWriteError({ message: 'operation was interrupted', code: 11602 }, noResult),
  ],
  [
    'an insertMany while the primary stepped down',
    () =>
      new MongoBulkWriteError(
        { message: 'Primary stepped down while waiting for replication', code: 189 },
        noResult,
      ),
  ],
  [
    'a bulk write with a duplicate and then no primary',
    () =>
      new MongoBulkWriteError(
        {
          message: 'E11000 duplicate key error',
          code: 11000,
          writeErrors: [
            operation(0, 11000, 'E11000 duplicate key error'),
            operation(1, 189, 'Not primary while writing to t.c'),
          ],
        },
        noResult,
      ),
  ],
  [
    'an interrupted deleteMany',
    () =>
      new MongoWriteConcernError({
        ok: 1,
        n: 0,
        writeErrors: [{ index: 0, code: 189, errmsg: 'Not primary while writing to t.c' }],
        writeConcernError: {
          code: 189,
          codeName: 'PrimarySteppedDown',
          errmsg: 'Received stepdown request while waiting for replication',
        },
      }),
  ],
  [
    'an insert that was interrupted twice',
    () =>
      labeled(
        new MongoWriteConcernError({
          ok: 1,
          n: 1,
          writeConcernError: { code: 11602, errmsg: 'operation was interrupted' },
        }),
        MongoErrorLabel.RetryableWriteError,
      ),
  ],
  [
    'an updateMany on a former primary',
    () => new MongoServerError({ errmsg: 'not primary', code: 10107, ok: 0 }),
  ],
  [
    'an operation on a halted server whose connections the monitor closed',
    () =>
      labeled(
        new MongoNetworkError(
          'Connection to 127.0.0.1:29101 interrupted due to server monitor timeout',
        ),
        MongoErrorLabel.PoolRequestedRetry,
      ),
  ],
];

describe('a failover of MongoDB', () => {
  it.each(RECORDED)('answers a failover with 503 and Retry-After: %s', (_, error) => {
    const { status, headers } = refusalOf(error());
    expect({ status, headers }).toEqual({ status: 503, headers: { 'retry-after': '2' } });
  });

  it.each(RECORDED)('retries repeatable operations after a failover: %s', async (_, error) => {
    let attempts = 0;
    const answer = await retryFailover(async () => {
      attempts += 1;
      if (attempts === 1) throw error();
      return attempts;
    });
    expect(answer).toBe(2);
  });

  it('answers with 503 when the real driver finds no server, even for a bulk write', async () => {
    const uri = `mongodb://127.0.0.1:${await freePort()}`;
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 100 });
    const rows = client.db('none').collection<{ _id: string }>('none');
    const deletion = { deleteOne: { filter: { _id: 'a' } } };
    const errors = await Promise.all(
      [rows.bulkWrite([deletion]), rows.insertMany([{ _id: 'a' }]), rows.findOne()].map((asked) =>
        asked.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    await client.close();
    expect(errors.map((error) => refusalOf(error).status)).toEqual([503, 503, 503]);
  });

  it('does not retry other errors or those of a busy server', async () => {
    for (const error of [
      failed(50, 'MaxTimeMSExpired'),
      failed(11_000, 'DuplicateKey'),
      new Error('ours'),
    ]) {
      let attempts = 0;
      const run = retryFailover(async () => {
        attempts += 1;
        throw error;
      });
      await expect(run).rejects.toBe(error);
      expect(attempts).toBe(1);
    }
  });

  it('gives up after three attempts', async () => {
    let attempts = 0;
    const run = retryFailover(async () => {
      attempts += 1;
      throw new MongoNetworkError('gone');
    });
    await expect(run).rejects.toThrow('gone');
    expect(attempts).toBe(3);
  });
});
