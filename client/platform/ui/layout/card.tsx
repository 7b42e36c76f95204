import { useId, type ReactNode } from 'react';

/**
 * A titled section of a screen. `action` is shown at the end of the title's line; null or false reserves its space.
 * `isNamedAbove` where the selected tab says the title: a phone leaves its line to the content.
 */
export function Card({
  title,
  action,
  isNamedAbove = false,
  id,
  children,
}: {
  title: string;
  action?: ReactNode;
  isNamedAbove?: boolean;
  id?: string;
  children: ReactNode;
}) {
  const headingId = useId();
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className="scroll-mt-4 rounded-card border border-line bg-surface px-[min(1rem,4.5vw)] py-4 shadow-lift sm:p-5"
    >
      <div
        className={`flex flex-wrap items-center justify-between gap-x-3 gap-y-1 ${action === undefined ? 'mb-2' : 'mb-3 min-h-11'} ${isNamedAbove ? 'max-sm:sr-only' : ''}`}
      >
        <h2 id={headingId} className="max-w-full flex-1 basis-28 text-lg font-bold break-words">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
