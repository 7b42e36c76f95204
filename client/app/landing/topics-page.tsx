import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';

/** A public page of short texts with headings. */
export function TopicsPage({
  title,
  topics,
  other,
  children,
}: {
  title: string;
  topics: readonly (readonly [title: string, text: string])[];
  /** A link to a related page. */
  other: { to: string; name: string };
  /** Content above the texts. */
  children?: ReactNode;
}) {
  return (
    <PublicPage
      title={title}
      corner={
        <Link to="/" className="flex min-h-11 items-center px-2 font-bold text-accent">
          Back to the start
        </Link>
      }
    >
      <div className="mx-auto flex max-w-2xl flex-col gap-5 py-6">
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight sm:text-4xl">
          {title}
        </h1>
        {children}
        {topics.map(([name, text]) => (
          <section key={name}>
            <h2 className="text-lg font-bold">{name}</h2>
            <p className="text-soft">{text}</p>
          </section>
        ))}
        <Link
          to={other.to}
          className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
        >
          {other.name}
        </Link>
      </div>
    </PublicPage>
  );
}
