import type { ApiFeature } from '../../platform/services.ts';
import { chatIndexes } from './collections.ts';
import { chatPushes } from './pushes.ts';
import { mountChat } from './routes.ts';

export const chat: ApiFeature = {
  indexes: chatIndexes,
  pushes: chatPushes,
  mount: mountChat,
};
