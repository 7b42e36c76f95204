import { toast } from 'sonner';
import { CallError } from '../http/api-client.ts';
import { messageOf } from '../http/error-message.ts';

/** Shows in a toast what failed, with the server's reason if any. */
export const toastError = (error: unknown): void => {
  const message = messageOf(error);
  const failure = error instanceof CallError ? error.failure : message;
  toast.error(failure === message ? message : `${failure}: ${message}`);
};
