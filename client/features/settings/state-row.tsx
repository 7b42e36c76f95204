import type { ReactNode } from 'react';

/** A setting that shows its state, with an action if there is one. */
export function StateRow({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-bold">{title}</h3>
        <p className="text-sm text-soft" role="status">
          {children}
        </p>
      </div>
      {action}
    </li>
  );
}
