import type { ApiFeature } from '../../platform/services.ts';
import { invitationIndexes } from './collections.ts';
import { invitationData } from './personal-data.ts';
import { mountInvitations } from './routes.ts';

export const invitations: ApiFeature = {
  indexes: invitationIndexes,
  personalData: [invitationData],
  mount: mountInvitations,
};
