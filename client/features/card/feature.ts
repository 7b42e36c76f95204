import type { ClientFeature } from '../../platform/features.ts';
import { picturesOf } from './picture-outbox.ts';

export const card: ClientFeature = {
  unsent: [{ kind: 'pictures', of: picturesOf }],
};
