import { text, type Text } from '../text.ts';

/** One a user: friends, requests, blocks and threads. Only the api writes it; its owner reads it. */
export interface CircleDocument {
  kind: Text;
  user_id: Text;
  blocks: Record<string, { name: Text; created_at: Text }>;
}

export function initialCircle(userId: string): CircleDocument {
  return { kind: text('circle'), user_id: text(userId), blocks: {} };
}
