import { toast } from 'sonner';

/** Says in a toast why something that was begun from a list failed. */
export const sayFailure = (error: unknown): void => {
  toast.error(error instanceof Error ? error.message : String(error));
};
