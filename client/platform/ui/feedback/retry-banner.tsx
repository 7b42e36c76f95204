import { errorMessage } from '../../http/error-message.ts';
import { Button } from '../buttons/button.tsx';
import { ErrorBanner } from './error-banner.tsx';

/**
 * Says that a query failed and why, with a retry button.
 * @param asked the query's result
 * @param children message if the server gives no reason
 */
export function RetryBanner({
  title,
  asked,
  children = asked.data
    ? 'Showing the last version we have.'
    : 'Check your connection and try again.',
}: {
  title: string;
  asked: {
    data: unknown;
    error: unknown;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  children?: string;
}) {
  return (
    <ErrorBanner
      title={title}
      action={
        <Button
          look="secondary"
          pending={asked.isFetching && 'Trying…'}
          onClick={() => void asked.refetch()}
        >
          Retry
        </Button>
      }
    >
      {errorMessage(asked.error, children)}
    </ErrorBanner>
  );
}
