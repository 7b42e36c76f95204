import type { DeviceIndex, Step } from './script.ts';

type DeviceStep = Extract<Step, { device: DeviceIndex }>;

/** Long enough for the others to hear of it, on simulated devices. */
const HEARD_MS = 1_500;
const SOON_MS = 200;

const on = (device: DeviceIndex, is: DeviceStep['is'], after = SOON_MS): Step => ({
  is,
  device,
  after,
  chance: 0,
});
const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

/** Histories in which the product was once untrue or lost something, made short. Random ones meet these situations rarely. */
export const KNOWN_FAULTS: Readonly<Record<string, readonly Step[]>> = {
  'another device unsends a message of the segment in which this one wrote offline': [
    on(0, 'write'),
    on(0, 'offline', HEARD_MS),
    ...times(3, on(0, 'write')),
    on(0, 'kill', HEARD_MS),
    on(1, 'unsend'),
    on(0, 'online', HEARD_MS),
    on(0, 'start'),
  ],
  'the next message after one that was read and unsent is written offline': [
    on(0, 'write'),
    on(2, 'read', HEARD_MS),
    on(0, 'unsend', HEARD_MS),
    on(0, 'offline', HEARD_MS),
    on(0, 'write'),
    on(0, 'online', HEARD_MS),
  ],
  'one change is refused, and honest ones follow': [
    on(0, 'change-refused'),
    on(0, 'add-dog'),
    on(0, 'write'),
    on(0, 'kill', HEARD_MS),
    on(0, 'start'),
    on(0, 'add-dog'),
  ],
  'a device comes back with as many changes as a document may have': [
    on(0, 'offline'),
    on(0, 'fill-account'),
    on(0, 'add-dog'),
    on(0, 'online'),
  ],
  'many messages leave over a slow line': [
    on(0, 'slow-line'),
    on(0, 'offline'),
    ...times(2, on(0, 'write-much', 0)),
    on(0, 'online'),
  ],
  'a backup of before a thread’s first message is restored': [
    { is: 'back-up', after: SOON_MS },
    on(0, 'write'),
    { is: 'restore', after: HEARD_MS },
  ],
  'a backup of before a friendship is restored': [
    { is: 'back-up', after: SOON_MS },
    on(0, 'befriend'),
    { is: 'restore', after: HEARD_MS },
  ],
  'two devices of a person begin a draft offline': [
    on(0, 'offline'),
    on(1, 'offline'),
    on(0, 'draft'),
    on(1, 'draft'),
    on(0, 'online', HEARD_MS),
    on(1, 'online', HEARD_MS),
  ],
};

/** Uses each screen that the oracle in a browser reads or presses. */
export const ON_SCREENS: readonly Step[] = [
  on(0, 'add-dog'),
  on(0, 'write'),
  on(1, 'write'),
  on(2, 'write'),
  on(2, 'read', HEARD_MS),
  on(0, 'unsend'),
  on(0, 'draft'),
  on(1, 'write-much'),
  on(1, 'kill'),
  on(1, 'start'),
];
