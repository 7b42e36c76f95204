import { type Bus, createSingleNodeBus } from './bus.ts';
import { createNatsBus } from './nats-bus.ts';

/**
 * Opens the bus of this installation: NATS, or none where this is the only node of its role.
 * @param natsUrl addresses of NATS servers, separated by commas
 * @param log called when the connection breaks or returns
 */
export const openBus = async (
  natsUrl: string | undefined,
  log: (message: string) => void,
): Promise<Bus> => (natsUrl ? createNatsBus(natsUrl, log) : createSingleNodeBus());
