import type { ClientFeature } from '../../platform/features.ts';
import { SuspensionGate } from './suspension-gate.tsx';

export const moderation: ClientFeature = {
  Provider: SuspensionGate,
};
