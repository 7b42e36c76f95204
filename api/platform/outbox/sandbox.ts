import type { Collection } from 'mongodb';
import { newId } from '#shared/ids.ts';
import type { SandboxSentRow } from './collections.ts';
import type { Sender } from './sender.ts';

const STORED_MAX = 200;

/** Stores messages instead of sending them, each once. */
export function createSandboxSender(sent: Collection<SandboxSentRow>): Sender {
  return {
    async send(message, key) {
      await sent.updateOne(
        { _id: key },
        { $setOnInsert: { message, at: new Date() } },
        { upsert: true },
      );
      const last = await sent.find().sort({ at: -1 }).skip(STORED_MAX).limit(1).next();
      if (last) await sent.deleteMany({ at: { $lte: last.at } });
      return `sandbox ${newId()}`;
    },
  };
}
