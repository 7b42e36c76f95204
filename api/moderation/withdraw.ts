import type { Services } from '../services.ts';

export async function withdraw({ database }: Services, messageId: string): Promise<string | null> {
  const row = await database.messages.findOne({ _id: messageId });
  return row?.text ?? null;
}
export async function hold(_services: Services, _messageId: string): Promise<void> {}
export async function release(_services: Services, _messageId: string): Promise<void> {}
