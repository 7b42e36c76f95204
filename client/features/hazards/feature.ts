import type { ClientFeature } from '../../platform/features.ts';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { hazardPhotosOf } from './photo-outbox.ts';

export const hazards: ClientFeature = {
  unsent: [{ kind: 'pictures', of: hazardPhotosOf }],
  notices: [optionalComponent(() => import('./hazard-notices.tsx'))],
};
