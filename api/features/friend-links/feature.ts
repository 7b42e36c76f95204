import type { ApiFeature } from '../../platform/services.ts';
import { friendLinkIndexes } from './collections.ts';
import { mountFriendLinks } from './routes.ts';

export const friendLinks: ApiFeature = {
  indexes: friendLinkIndexes,
  mount: mountFriendLinks,
};
