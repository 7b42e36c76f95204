import type { Db } from 'mongodb';
import type { PushContent } from '#shared/push/contract.ts';
import type { PushChoices } from '#shared/push/document.ts';
import type { Env } from '../env.ts';
import { KIND_OF, type PushMessage, type PushTopic } from './collections.ts';
import { isUrgent } from './topics.ts';

/** A text of a notification is cut after so many characters. */
export const PUSH_TEXT_MAX = 160;

/** The text of a notification. */
type Wording = Pick<PushContent, 'title' | 'body' | 'path' | 'silent_since'>;

interface Composing {
  db: Db;
  env: Pick<Env, 'PRODUCT_NAME'>;
}

/**
 * Composes the text of a topic from what is true now.
 * @returns null if there is no reason for it any more: it was read, removed or answered, or the two are no longer friends
 */
type Composer = (
  services: Composing,
  message: PushMessage,
  settings: Promise<PushChoices>,
) => Promise<Wording | null>;

/** The texts of a feature, by topic. */
export type PushComposers = Partial<Record<PushTopic, Composer>>;

/** Returns what composes what a device shows. @param features the texts of each feature @throws when a topic has none */
export function createComposePush(features: readonly (PushComposers | undefined)[]) {
  const composers: PushComposers = Object.assign({}, ...features);
  for (const topic of Object.keys(KIND_OF))
    if (!Object.hasOwn(composers, topic)) throw new Error(`No feature has a text for ${topic}`);
  return async (
    services: Composing,
    message: PushMessage,
    settings: Promise<PushChoices>,
  ): Promise<PushContent | null> => {
    const { topic, tag } = message;
    const wording = await composers[topic]?.(services, message, settings);
    return wording ? { kind: KIND_OF[topic], tag, is_urgent: isUrgent(topic), ...wording } : null;
  };
}
