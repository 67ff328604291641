import type { Subject } from '../../model/experiment.ts';
import type { Fact } from '../../model/fact.ts';
import type { CheckContext } from '../contract.ts';
import { openRepository } from '../git/repository.ts';
import { walkFiles } from '../git/walk.ts';
import { likeliest } from '../inputs/at-most.ts';
import { settingsAddresses } from './file-reading.ts';

/** A file that the site gives away. */
type LeakedText = { text: string; place: LeakedPlace };

export type LeakedPlace = {
  url: string;
  /** Of a claim on the answer. */
  subject: Subject;
  /** The file as its readers call it. */
  file: string;
};

const maxFiles = 12;
const maxFileBytes = 256 * 1024;

/** What checks have shown to be given away: files, settings that a way to read files leads to, and those of repositories. */
export async function* leakedTexts(
  context: Pick<CheckContext, 'http' | 'leave'>,
  facts: readonly Pick<Fact, 'subject' | 'attributes'>[],
): AsyncGenerator<LeakedText> {
  const isRepository = ({ attributes }: Pick<Fact, 'attributes'>) => attributes.form === 'repository';
  const readings = facts.filter(({ attributes }) => attributes.slash !== undefined);
  const files = facts.filter((fact) => !isRepository(fact) && !readings.includes(fact));
  const urls = [...new Set([...files.map(({ subject }) => subject), ...readings.flatMap(settingsAddresses)])];
  for (const url of likeliest(context, urls, maxFiles, 'files that may have accounts or keys')) {
    const { status, text } = await context.http.get(url, { maxBodyBytes: maxFileBytes });
    if (status === 200) yield { text, place: { url, file: fileOf(url), subject: 'body:masked' } };
  }
  for (const { subject: base } of facts.filter(isRepository))
    for await (const { path, object } of walkFiles(context, openRepository(context, base)))
      yield { text: object.content.toString('utf8'), place: { ...object.place, file: path } };
}

const fileOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return search === '' ? pathname : pathname + search;
};
