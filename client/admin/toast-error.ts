import { toast } from 'sonner';
import { CallError } from '../http/api-client.ts';
import { messageOf } from '../http/error-message.ts';

/** Says in a toast what failed that was begun from a list, and why where the server says so. */
export const toastError = (error: unknown): void => {
  const message = messageOf(error);
  const failure = error instanceof CallError ? error.failure : message;
  toast.error(failure === message ? message : `${failure}: ${message}`);
};
