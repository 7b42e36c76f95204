import { z } from 'zod';
import { Store } from '../store.ts';
import { readStorage, writeStorage } from '../web-storage.ts';

const KEY = 'error-reports-off';
const changes = new Store();

export const onErrorReports = changes.subscribe;

/** Whether this device reports errors of the app. */
export const areErrorsReported = (): boolean => readStorage(z.literal(true), KEY) === null;

export function allowErrorReports(isAllowed: boolean): void {
  writeStorage(KEY, isAllowed ? null : true);
  changes.notify();
}
