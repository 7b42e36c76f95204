import { useEffect, useId, useRef, type ReactNode } from 'react';

/** A section of a person's view. @param isNew opened by a button that it replaces: takes the focus */
export function Section({
  title,
  isNew = false,
  children,
}: {
  title: string;
  isNew?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <section aria-labelledby={id} className="border-t border-line pt-4">
      <h3 ref={heading} id={id} tabIndex={isNew ? -1 : undefined} className="mb-2 font-bold">
        {title}
      </h3>
      {children}
    </section>
  );
}

const NONE = <p className="text-soft">None</p>;

/** A list of rows, or 'None'. */
export function List({ children }: { children: ReactNode[] }) {
  return children.length === 0 ? NONE : <ul className="divide-y divide-line">{children}</ul>;
}

/** A row with its actions. */
export function Row({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0">
      <div className="flex min-w-0 flex-1 basis-44 flex-wrap items-center gap-x-3 gap-y-1 break-words">
        {children}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">{actions}</div>
    </li>
  );
}
