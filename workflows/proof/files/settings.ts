import { SaxesParser } from 'saxes';
import { parseAllDocuments } from 'yaml';
import { parseJson } from '../../model/json.ts';
import type { NamedSetting } from './named-setting.ts';
import { codeSettings, envSettings, iniSettings } from './setting-lines.ts';
import { isSecretSetting } from './setting-words.ts';

export const settingFormats = ['env', 'ini', 'json', 'yaml', 'xml', 'code'] as const;
export type SettingFormat = (typeof settingFormats)[number];

/** A file for people is smaller, and a parser's work grows with it. */
const maxTextLength: Record<SettingFormat, number> = {
  env: 262_144,
  ini: 262_144,
  json: 262_144,
  yaml: 65_536,
  xml: 65_536,
  code: 262_144,
};
const maxSettings = 2_000;
const maxDepth = 12;
const maxNameLength = 500;

const parsers: Record<SettingFormat, (text: string) => NamedSetting[] | undefined> = {
  env: envSettings,
  ini: iniSettings,
  json: (text) => fromTree(parseJson(text)),
  yaml: yamlSettings,
  xml: xmlSettings,
  code: codeSettings,
};

/**
 * Names of the settings of a file that is, from its beginning to its end, of one format; of `code` (PHP, Python, Ruby, JavaScript)
 * those that are assigned a literal. `ini` reads properties and TOML as well. One a line.
 * @returns undefined when the text is not of this format, or has none
 */
export const settingNames = (format: SettingFormat, text: string): string | undefined =>
  joined(settingsOf(format, text) ?? []);

/** Those of them that are a secret by their name and are filled in. */
export const secretSettingNames = (format: SettingFormat, text: string): string | undefined =>
  joined((settingsOf(format, text) ?? []).filter(({ name, value }) => isSecretSetting(name, value)));

function settingsOf(format: SettingFormat, text: string): NamedSetting[] | undefined {
  if (text.length > maxTextLength[format] || /^\s*<(?:!doctype html|html)\b/i.test(text)) return undefined;
  return parsers[format](text.replace(/^\uFEFF/, ''))?.slice(0, maxSettings);
}

const joined = (settings: readonly NamedSetting[]): string | undefined =>
  settings.length === 0 ? undefined : settings.map(({ name }) => name.replace(/\s+/g, ' ').slice(0, 200)).join('\n');

/** Prose is a text of YAML as well, so a file of settings begins with a map or a list of maps. */
function yamlSettings(text: string): NamedSetting[] | undefined {
  if (!/^(?:---|[\w"'.-]{1,80}\s*:(?:\s|$)|- )/m.test(text)) return undefined;
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false, strict: false });
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
    // An alias inside of aliases is how a small text becomes a large tree.
    return documents.slice(0, 20).flatMap((document) => fromTree(document.toJS({ maxAliasCount: 50 })) ?? []);
  } catch {
    return undefined;
  }
}

/** Names of what stands in maps and lists; members of a list have no number, so that a pattern can name them. */
function fromTree(tree: unknown): NamedSetting[] | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined;
  const settings: NamedSetting[] = [];
  const visit = (value: unknown, path: string, depth: number) => {
    if (settings.length >= maxSettings || depth > maxDepth) return;
    if (Array.isArray(value)) for (const each of value) visit(each, path, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value).filter(([{ length }]) => length <= maxNameLength))
        visit(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    else if (path !== '') settings.push({ name: path, value: String(value ?? '') });
  };
  visit(tree, '', 0);
  return settings;
}

/** Elements by their path and attributes after "@"; a key in `key` or `name` names the element's `value`, as in .NET. */
function xmlSettings(text: string): NamedSetting[] | undefined {
  if (!/^\s*<[?!\w]/.test(text)) return undefined;
  const settings: NamedSetting[] = [];
  const path: string[] = [];
  const parser = new SaxesParser({ xmlns: false });
  let failed = false;
  parser.on('error', () => {
    failed = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    // Settings do not nest as deep.
    failed ||= path.length > maxDepth * 2;
    if (failed || settings.length >= maxSettings) return;
    const given = Object.entries(attributes).map(([key, value]) => [key, String(value)] as const);
    const named = given.find(([key]) => /^(?:key|name|id)$/i.test(key))?.[1];
    const place = [...path, ...(named === undefined ? [] : [named])].join('.');
    settings.push(...given.map(([key, value]) => ({ name: nameOf(place, key, named), value })));
  });
  parser.on('text', (content) => {
    if (failed || settings.length >= maxSettings) return;
    if (content.trim() !== '') settings.push({ name: path.join('.'), value: content.trim() });
  });
  parser.on('closetag', () => void path.pop());
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return failed || settings.length === 0 ? undefined : settings;
}

const nameOf = (place: string, key: string, named: string | undefined): string =>
  named !== undefined && /^(?:value|connectionString)$/i.test(key) ? place : `${place}@.${key}`;
