import type { Db } from 'mongodb';
import type { PushContent } from '#shared/push/contract.ts';
import type { PushChoices } from '#shared/push/document.ts';
import type { Env } from '../env.ts';
import type { PushMessage, PushTopic } from './collections.ts';

/** Something that a user may want to know while the app is closed. */
export interface PushNotice {
  topic: PushTopic;
  user_id: string;
  /** What it is about, see `PushMessage`. */
  subject: string;
  /** The same for the same cause: each device gets one push about it, however often it is reported. */
  key: string;
  tag: string;
  /** How long to wait whether it becomes unnecessary; in milliseconds. */
  delayMs?: number;
}

/**
 * Composes what a device shows, from what is true now.
 * @param settings are read at the same time as what it shows
 * @returns null if there is no reason for it any more
 */
export type Compose = (
  services: { db: Db; env: Pick<Env, 'PRODUCT_NAME'> },
  message: PushMessage,
  settings: Promise<PushChoices>,
) => Promise<PushContent | null>;
