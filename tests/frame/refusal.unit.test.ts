import { MongoNetworkError, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { failureOf, refusalOf } from '../../api/refusal.ts';

const failed = (code: number, codeName: string) =>
  new MongoServerError({ message: `${codeName} on 10.0.0.1`, code, codeName });

describe('what MongoDB could not do', () => {
  it.each([
    ['MaxTimeMSExpired', 50],
    ['ShutdownInProgress', 91],
    ['PrimarySteppedDown', 189],
    ['ExceededTimeLimit', 262],
    ['NotWritablePrimary', 10107],
    ['InterruptedAtShutdown', 11600],
    ['OutOfDiskSpace', 14031],
  ])('may be tried again soon where another moment helps: %s', (codeName, code) => {
    const refusal = refusalOf(failed(code, codeName));
    expect(refusal.status).toBe(503);
    expect(refusal.headers).toEqual({ 'retry-after': '2' });
    expect(failureOf(refusal)).toEqual({
      error: 'The service is not available right now (mongodb). Please try again.',
      code: 'unavailable',
    });
  });

  it('is a failure of ours where it does not', () => {
    expect(refusalOf(failed(9, 'FailedToParse')).status).toBe(500);
    expect(refusalOf(new MongoNetworkError('gone')).status).toBe(503);
  });
});
