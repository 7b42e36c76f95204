import { z } from 'zod';
import type { CircleDocument } from '../friends/document.ts';
import { text } from '../text.ts';

const userId = z.string().min(1).max(64);

/** Named changes of a circle's blocks. */
export const blockChanges = {
  'block.add': {
    input: z.object({ user_id: userId, name: z.string().max(100), created_at: z.iso.datetime() }),
    apply(circle: CircleDocument, block: { user_id: string; name: string; created_at: string }) {
      circle.blocks[block.user_id] ??= {
        name: text(block.name),
        created_at: text(block.created_at),
      };
    },
  },
  'block.remove': {
    input: z.object({ user_id: userId }),
    apply(circle: CircleDocument, block: { user_id: string }) {
      delete circle.blocks[block.user_id];
    },
  },
};
