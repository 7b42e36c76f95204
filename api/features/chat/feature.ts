import type { ApiFeature } from '../../platform/services.ts';
import { chatIndexes } from './collections.ts';
import { draftData } from './drafts.ts';
import { threadData } from './personal-data.ts';
import { chatPushes } from './pushes.ts';
import { mountChat } from './routes.ts';

export const chat: ApiFeature = {
  indexes: chatIndexes,
  personalData: [threadData, draftData],
  pushes: chatPushes,
  mount: mountChat,
};
