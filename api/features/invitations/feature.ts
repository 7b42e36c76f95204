import type { ApiFeature } from '../../platform/services.ts';
import { invitationIndexes } from './collections.ts';
import { mountInvitations } from './routes.ts';

export const invitations: ApiFeature = {
  indexes: invitationIndexes,
  mount: mountInvitations,
};
