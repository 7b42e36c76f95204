import { ErrorBanner } from './error-banner.tsx';

/** What is wrong with a form that no field of it tells: nothing, while there are no words. */
export function FormProblem({
  words,
  isUnanswered,
}: {
  words: string;
  /** Whether nobody answered: what to do about it is said, too. */
  isUnanswered: boolean;
}) {
  if (!words) return null;
  if (!isUnanswered) return <ErrorBanner>{words}</ErrorBanner>;
  return (
    <ErrorBanner title={words}>
      Check your connection and try again. What you entered has been kept.
    </ErrorBanner>
  );
}
