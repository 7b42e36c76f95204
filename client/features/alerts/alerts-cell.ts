import { z } from 'zod';
import { readCache, writeCache } from '../../platform/local-cache.ts';

const NAME = 'alerts-cell';
const cell = z.object({ latitude: z.string(), longitude: z.string() });
export type Cell = z.infer<typeof cell>;

/** Returns where this device last asked for alerts, if it still may: the next start asks for them there, too. */
export const alertsCell = (userId: string): Cell | null => readCache(cell, userId, NAME);

export const rememberAlertsCell = (userId: string, at: Cell | null): void =>
  void writeCache(userId, NAME, at);
