//! swc's parser, which nothing can stop once it runs, on a budget.
//!
//! It goes down with each nesting of the code and walks back to try TypeScript's other readings, at some places twice
//! for each level. What it gets is therefore counted token by token, walks back included: when a file has had what it
//! may have, it ends there for the parser. What was parsed is measured once more before anything else walks over it.

use std::{cell::RefCell, rc::Rc};

use deno_ast::{
    MediaType, ModuleSpecifier, ParseDiagnostic, SourceTextInfo,
    swc::{
        ast::{BlockStmt, Class, EsVersion, Expr, Pat, Program, Stmt, TsEntityName, TsNamespaceBody, TsType},
        common::{BytePos, Span, Spanned, comments::SingleThreadedComments, input::StringInput},
        ecma_visit::{Visit, VisitWith},
        lexer::{
            Lexer, Parser, SyntaxFlags, TokenContexts,
            common::{context::Context, input::Tokens},
            error::Error,
            lexer::TokenFlags,
            token::{Token, TokenAndSpan, Word},
        },
    },
};

/// The longest file that is parsed in Rust, in bytes. A parser needs some fifty times as much memory.
pub(crate) const LONGEST: usize = 8 << 20;
/// Brackets in brackets, and statements, expressions and types in one another: beyond what any generator writes.
const DEEPEST: u32 = 2000;
/// Links of one chain (`a + b + c`, `a.b().c`), which are parsed in a loop and walked over as nestings.
const LONGEST_CHAIN: u32 = 10_000;
/// The same while the parser runs. It may count several chains as one, where no semicolon ends a line.
const LINKS: u32 = 100_000;
/// `else` in one pair of brackets. As long as the chain goes on, these nest, and the parser goes along all of them for
/// each.
const ELSES: u32 = 10_000;
/// Classes with `extends` in one another: each makes swc's work twice as long.
const HERITAGE: u32 = 8;
/// The stack that the parser and all that walks over its tree have. It is used only as far as it is needed.
pub(crate) const STACK: usize = 256 << 20;
/// What the parser leaves of it: taking a tree apart needs some as well.
const STACK_LEFT: usize = 96 << 20;

/// What a token costs beside its bytes.
const TOKEN: u64 = 8;
/// What remembering a place to walk back to costs.
const CHECKPOINT: u64 = 64;
/// What a label costs for each one before it: the parser compares each with all.
const LABEL: u64 = 16;
/// What each file may cost, so that a small one is read in less than a second without optimisations.
const BASE_COST: u64 = 3 << 19;
/// What each byte of a file may cost beyond that. Code costs three or so, a list of digits nine.
const COST_PER_BYTE: u64 = 16;

/// What all nodes may nest together: swc's transforms walk over the rest again at many levels.
const BASE_WEIGHT: u64 = 4_000_000;
/// What each node may nest on average beyond that.
const WEIGHT_PER_NODE: u64 = 64;

/// A parsed file.
pub(crate) struct Parsed {
    pub(crate) program: Program,
    pub(crate) comments: SingleThreadedComments,
    /// What the parser could live with.
    pub(crate) diagnostics: Vec<ParseDiagnostic>,
}

/// As what a file is parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    Module,
    /// A module if it has `import` or `export`, else a script.
    Program,
}

/// Parses a file. It needs [`STACK`], and so does what is done with the program.
///
/// # Errors
///
/// The message says what is wrong with the file and where, as `line:column`.
pub(crate) fn parse(
    specifier: &ModuleSpecifier,
    source: &str,
    media_type: MediaType,
    r#as: As,
) -> Result<Parsed, String> {
    if source.len() > LONGEST {
        return Err(format!("it is longer than {} MiB; split it, or compile it to JavaScript", LONGEST >> 20));
    }
    let comments = SingleThreadedComments::default();
    // As deno_ast begins.
    let input = StringInput::new(source, BytePos(1), BytePos(1 + source.len() as u32));
    let lexer = Lexer::new(deno_ast::get_syntax(media_type), EsVersion::Es2021, input, Some(&comments));
    let metered = Metered::new(lexer, source.len());
    let meter = metered.meter.clone();
    let mut parser = Parser::new_from(metered);
    let program = match r#as {
        As::Module => parser.parse_module().map(Program::Module),
        As::Program => parser.parse_program(),
    };
    let errors = parser.take_errors();
    drop(parser);
    if let Some((excess, at)) = meter.borrow().excess {
        return Err(format!("{} at {}", excess.message(), place(source, at)));
    }
    let text_info = SourceTextInfo::new(source.into());
    let diagnostic = |error| ParseDiagnostic::from_swc_error(error, specifier, text_info.clone());
    let program = program.map_err(|error| {
        let error = diagnostic(error);
        let at = error.display_position();
        format!("{} at {}:{}", error.kind().msg(), at.line_number, at.column_number)
    })?;
    if let Some((excess, at)) = Measure::of(&program) {
        return Err(format!("{} at {}", excess.message(), place(source, at)));
    }
    Ok(Parsed { program, comments, diagnostics: errors.into_iter().map(diagnostic).collect() })
}

fn place(source: &str, at: BytePos) -> String {
    let before = source.get(..(at.0 as usize).saturating_sub(1)).unwrap_or(source);
    let line = before.rsplit('\n').next().unwrap_or_default();
    format!("{}:{}", before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// What a file has too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excess {
    Brackets,
    Nesting,
    Chain,
    Elses,
    Heritage,
    Cost,
    Weight,
}

impl Excess {
    fn message(self) -> String {
        match self {
            Self::Brackets => format!("its brackets nest more than {DEEPEST} deep"),
            Self::Nesting => format!("its code nests more than {DEEPEST} deep"),
            Self::Chain => format!("it has more than {LONGEST_CHAIN} operators in one chain"),
            Self::Elses => format!("it has more than {ELSES} `else` in one block"),
            Self::Heritage => format!("its classes with `extends` nest more than {HERITAGE} deep"),
            Self::Cost => {
                "it takes the parser too long, because what can be read in several ways nests; make it flatter"
                    .to_owned()
            }
            Self::Weight => "too much of its code is nested deeply; make it flatter".to_owned(),
        }
    }
}

/// What a file has cost so far; all copies of its tokens have the same.
struct Meter {
    cost: u64,
    limit: u64,
    excess: Option<(Excess, BytePos)>,
}

/// A pair of brackets that is open.
#[derive(Clone, Copy, Default)]
struct Level {
    links: u32,
    elses: u32,
    /// Labels, one after the other.
    labels: u32,
}

/// The lexer's tokens, as long as the file may have more. A copy is a place to walk back to.
struct Metered<'a> {
    lexer: Lexer<'a>,
    meter: Rc<RefCell<Meter>>,
    levels: Vec<Level>,
    /// The token before: what it was, and where it ended.
    last: Kind,
    /// The token before is a word that may be a label: `a?b:` and `a.b:` have none.
    may_be_label: bool,
    end: BytePos,
    /// Lists that end in a comma: the parser remembers each, and copies that for each place to walk back to.
    trailing_commas: u64,
}

/// What a token means for the count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    Comma,
    Semicolon,
    Dot,
    Colon,
    Question,
    Else,
    /// A keyword that begins a statement, wherever it stands but behind a dot.
    Statement,
    Word,
    Other,
}

fn kind(token: &Token) -> Kind {
    match token {
        Token::LParen | Token::LBrace | Token::LBracket | Token::DollarLBrace => Kind::Open,
        Token::RParen | Token::RBrace | Token::RBracket => Kind::Close,
        Token::Comma => Kind::Comma,
        Token::Semi => Kind::Semicolon,
        Token::Dot => Kind::Dot,
        Token::Colon => Kind::Colon,
        Token::QuestionMark => Kind::Question,
        Token::Word(Word::Keyword(keyword)) => {
            use deno_ast::swc::lexer::token::Keyword;
            match keyword {
                Keyword::Else => Kind::Else,
                Keyword::Const
                | Keyword::Var
                | Keyword::If
                | Keyword::For
                | Keyword::While
                | Keyword::Return
                | Keyword::Switch
                | Keyword::Throw
                | Keyword::Try
                | Keyword::Export => Kind::Statement,
                _ => Kind::Other,
            }
        }
        Token::Word(_) => Kind::Word,
        _ => Kind::Other,
    }
}

impl<'a> Metered<'a> {
    fn new(lexer: Lexer<'a>, bytes: usize) -> Self {
        let meter = Meter { cost: 0, limit: BASE_COST + COST_PER_BYTE * bytes as u64, excess: None };
        Self {
            lexer,
            meter: Rc::new(RefCell::new(meter)),
            levels: vec![Level::default()],
            last: Kind::Semicolon,
            may_be_label: false,
            end: BytePos(1),
            trailing_commas: 0,
        }
    }

    /// Counts one token, and says what is too much now.
    fn count(&mut self, token: &TokenAndSpan) -> Option<Excess> {
        let kind = kind(&token.token);
        let mut cost = TOKEN + u64::from(token.span.hi.0.saturating_sub(self.end.0));
        let mut excess = None;
        if kind == Kind::Close {
            self.trailing_commas += u64::from(self.last == Kind::Comma);
            // What never opened is an error, which the parser tells.
            if self.levels.len() > 1 {
                self.levels.pop();
            }
        }
        if let Some(level) = self.levels.last_mut() {
            match kind {
                // What ends one chain for certain. An `else` goes on with what the semicolon before it ended.
                Kind::Comma | Kind::Semicolon => level.links = 0,
                Kind::Statement if self.last != Kind::Dot => level.links = 0,
                Kind::Else => {
                    level.elses += 1;
                    cost += u64::from(level.elses / 4);
                }
                _ => level.links += 1,
            }
            match kind {
                Kind::Colon if self.may_be_label => {
                    level.labels += 1;
                    cost += u64::from(level.labels) * LABEL;
                }
                Kind::Comma | Kind::Semicolon | Kind::Close => level.labels = 0,
                _ => {}
            }
            if level.links > LINKS {
                excess = Some(Excess::Chain);
            }
            if level.elses > ELSES {
                excess = Some(Excess::Elses);
            }
        }
        if kind == Kind::Open {
            self.levels.push(Level::default());
            if self.levels.len() > DEEPEST as usize {
                excess = Some(Excess::Brackets);
            }
        }
        self.may_be_label = kind == Kind::Word && !matches!(self.last, Kind::Dot | Kind::Question);
        self.last = kind;
        self.end = token.span.hi;
        // Most of what nests without brackets is parsed by recursion: what counts is how far down it is.
        if stacker::remaining_stack().is_some_and(|left| left < STACK_LEFT) {
            excess = Some(Excess::Nesting);
        }
        let mut meter = self.meter.borrow_mut();
        meter.cost += cost;
        if meter.cost > meter.limit {
            excess = Some(Excess::Cost);
        }
        excess
    }
}

impl Clone for Metered<'_> {
    fn clone(&self) -> Self {
        self.meter.borrow_mut().cost += CHECKPOINT + self.levels.len() as u64 / 4 + self.trailing_commas / 8;
        Self {
            lexer: self.lexer.clone(),
            meter: self.meter.clone(),
            levels: self.levels.clone(),
            last: self.last,
            may_be_label: self.may_be_label,
            end: self.end,
            trailing_commas: self.trailing_commas,
        }
    }
}

impl Iterator for Metered<'_> {
    type Item = TokenAndSpan;

    fn next(&mut self) -> Option<TokenAndSpan> {
        let token = if self.meter.borrow().excess.is_some() { None } else { self.lexer.next() };
        let excess = token.as_ref().and_then(|token| self.count(token));
        if let (Some(excess), Some(token)) = (excess, &token) {
            self.meter.borrow_mut().excess = Some((excess, token.span.lo));
        }
        // Without a token, the parser takes the place of the one before for the end, and trips over that.
        let end = TokenAndSpan { token: Token::Eof, had_line_break: true, span: Span::new(self.end, self.end) };
        Some(token.filter(|_| excess.is_none()).unwrap_or(end))
    }
}

impl Tokens<TokenAndSpan> for Metered<'_> {
    type Checkpoint = Self;

    fn set_ctx(&mut self, ctx: Context) {
        self.lexer.set_ctx(ctx);
    }
    fn ctx(&self) -> Context {
        self.lexer.ctx()
    }
    fn ctx_mut(&mut self) -> &mut Context {
        self.lexer.ctx_mut()
    }
    fn syntax(&self) -> SyntaxFlags {
        self.lexer.syntax()
    }
    fn target(&self) -> EsVersion {
        self.lexer.target()
    }
    fn checkpoint_save(&self) -> Self {
        self.clone()
    }
    fn checkpoint_load(&mut self, checkpoint: Self) {
        *self = checkpoint;
    }
    fn start_pos(&self) -> BytePos {
        self.lexer.start_pos()
    }
    fn set_expr_allowed(&mut self, allow: bool) {
        self.lexer.set_expr_allowed(allow);
    }
    fn set_next_regexp(&mut self, start: Option<BytePos>) {
        self.lexer.set_next_regexp(start);
    }
    fn token_context(&self) -> &TokenContexts {
        self.lexer.token_context()
    }
    fn token_context_mut(&mut self) -> &mut TokenContexts {
        self.lexer.token_context_mut()
    }
    fn set_token_context(&mut self, contexts: TokenContexts) {
        self.lexer.set_token_context(contexts);
    }
    fn add_error(&mut self, error: Error) {
        self.lexer.add_error(error);
    }
    fn add_module_mode_error(&mut self, error: Error) {
        self.lexer.add_module_mode_error(error);
    }
    fn end_pos(&self) -> BytePos {
        self.lexer.end_pos()
    }
    fn take_errors(&mut self) -> Vec<Error> {
        self.lexer.take_errors()
    }
    fn take_script_module_errors(&mut self) -> Vec<Error> {
        self.lexer.take_script_module_errors()
    }
    fn update_token_flags(&mut self, update: impl FnOnce(&mut TokenFlags)) {
        self.lexer.update_token_flags(update);
    }
    fn token_flags(&self) -> TokenFlags {
        self.lexer.token_flags()
    }
}

/// How deeply a program nests. A chain's links nest as well, and take less of the stack than others.
struct Measure {
    /// In parts of which a nesting has [`Measure::NESTING`] and a link has one.
    depth: u32,
    /// Nestings alone: a chain costs the transforms nothing beside its length.
    nestings: u64,
    /// The next child goes on with the chain of its parent.
    linked: bool,
    heritage: u32,
    nodes: u64,
    weight: u64,
    excess: Option<(Excess, BytePos)>,
}

impl Measure {
    const NESTING: u32 = LONGEST_CHAIN / DEEPEST;

    fn of(program: &Program) -> Option<(Excess, BytePos)> {
        let mut measure = Self { depth: 0, nestings: 0, linked: false, heritage: 0, nodes: 0, weight: 0, excess: None };
        program.visit_with(&mut measure);
        let too_heavy = measure.weight > BASE_WEIGHT + WEIGHT_PER_NODE * measure.nodes;
        measure.excess.or_else(|| too_heavy.then(|| (Excess::Weight, program.span().lo)))
    }

    fn enter<N: VisitWith<Self> + ?Sized>(&mut self, node: &N, span: Span, begins_with_link: bool) {
        let linked = std::mem::replace(&mut self.linked, begins_with_link);
        let step = if linked { 1 } else { Self::NESTING };
        self.depth += step;
        self.nodes += 1;
        self.nestings += u64::from(!linked);
        self.weight += self.nestings;
        if self.depth > LONGEST_CHAIN {
            let excess = if linked { Excess::Chain } else { Excess::Nesting };
            self.excess.get_or_insert((excess, span.lo));
        } else {
            node.visit_children_with(self);
        }
        self.linked = false;
        self.nestings -= u64::from(!linked);
        self.depth -= step;
    }
}

impl Visit for Measure {
    fn visit_expr(&mut self, expr: &Expr) {
        let link = matches!(
            expr,
            Expr::Bin(_)
                | Expr::Call(_)
                | Expr::Member(_)
                | Expr::OptChain(_)
                | Expr::TaggedTpl(_)
                | Expr::TsAs(_)
                | Expr::TsNonNull(_)
                | Expr::TsSatisfies(_)
        );
        self.enter(expr, expr.span(), link);
    }
    fn visit_stmt(&mut self, stmt: &Stmt) {
        self.enter(stmt, stmt.span(), false);
    }
    fn visit_block_stmt(&mut self, block: &BlockStmt) {
        self.enter(block, block.span, false);
    }
    fn visit_class(&mut self, class: &Class) {
        let extends = u32::from(class.super_class.is_some());
        self.heritage += extends;
        if self.heritage > HERITAGE {
            self.excess.get_or_insert((Excess::Heritage, class.span.lo));
        } else {
            class.visit_children_with(self);
        }
        self.heritage -= extends;
    }
    fn visit_pat(&mut self, pat: &Pat) {
        self.enter(pat, pat.span(), false);
    }
    fn visit_ts_type(&mut self, r#type: &TsType) {
        let link = matches!(r#type, TsType::TsArrayType(_) | TsType::TsIndexedAccessType(_));
        self.enter(r#type, r#type.span(), link);
    }
    fn visit_ts_entity_name(&mut self, name: &TsEntityName) {
        self.enter(name, name.span(), true);
    }
    fn visit_ts_namespace_body(&mut self, body: &TsNamespaceBody) {
        self.enter(body, body.span(), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with a TypeScript file, from the parser to the emitted text.
    fn refusal(source: String) -> Option<String> {
        let specifier = ModuleSpecifier::parse("file:///a.ts").unwrap();
        super::super::typescript::strip(&specifier, source, MediaType::TypeScript).err().map(|error| error.to_string())
    }

    /// Each way to nest: the depth that passes, the one that is refused, and what is around each level.
    macro_rules! nests {
        ($($name:ident: $start:literal $open:literal $middle:literal $close:literal $end:literal, $fits:literal, $over:literal;)+) => {$(
            #[test]
            fn $name() {
                let source = |n: usize| format!("{}{}{}{}{}", $start, $open.repeat(n), $middle, $close.repeat(n), $end);
                assert_eq!(refusal(source($fits)), None);
                for n in [$over, (5 << 20) / ($open.len() + $close.len())] {
                    let message = refusal(source(n)).unwrap();
                    assert!(
                        ["nest", "in one chain", "in one block"].iter().any(|word| message.contains(word)),
                        "{n}: {message}"
                    );
                    assert!(message.contains(" at 1:"), "{n}: {message}");
                }
            }
        )+};
    }

    nests! {
        arrows: "" "a=>" "1" "" ";", 900, 2100;
        arrows_in_brackets: "" "(a)=>" "1" "" ";", 900, 2100;
        arrows_with_bodies: "" "a=>{" "1" "}" ";", 600, 2100;
        arrows_as_defaults: "" "(a=" "1" ")=>1" ";", 600, 2100;
        arrows_in_ternaries: "" "a?(b):c=>" "1" "" ";", 4, 60;
        arrows_with_types: "" "<a>(" "1" ")" ";", 4, 60;
        brackets: "" "(" "1" ")" ";", 1900, 2100;
        lists: "" "[" "1" "]" ";", 1900, 2100;
        objects: "x=" "{a:" "1" "}" ";", 1900, 2100;
        calls: "" "f(" "1" ")" ";", 1900, 2100;
        calls_of_calls: "f" "" "" "()" ";", 4000, 120_000;
        members: "a" "" "" ".b" ";", 4000, 60_000;
        sums: "1" "" "" "+1" ";", 4000, 60_000;
        certainties: "a" "" "" "!" ";", 4000, 120_000;
        casts: "a" "" "" " as b" ";", 3000, 60_000;
        comparisons: "" "a<" "1" "" ";", 100, 2100;
        type_assertions: "" "<a>" "1" "" ";", 100, 2100;
        prefixes: "" "!" "1" "" ";", 1900, 2100;
        signs: "" "- " "1" "" ";", 1900, 2100;
        type_ofs: "" "typeof " "1" "" ";", 1900, 2100;
        awaits: "" "await " "1" "" ";", 1900, 2100;
        news: "" "new " "a" "" ";", 1900, 2100;
        assignments: "" "a=" "1" "" ";", 1900, 2100;
        powers: "" "1**" "1" "" ";", 1900, 2100;
        ternaries: "" "a?1:" "1" "" ";", 1100, 2100;
        ternaries_inside: "" "a?" "1" ":1" ";", 1100, 2100;
        templates: "" "`${" "1" "}`" ";", 1900, 2100;
        ifs: "" "if(a)" "" "" ";", 1900, 2100;
        elses: "" "if(a);else " "" "" ";", 1100, 2100;
        loops: "" "for(;;)" "" "" ";", 1900, 2100;
        labels: "" "a:" "" "" ";", 200, 2100;
        blocks: "" "{" "" "}" ";", 900, 2100;
        classes: "x=" "class{a(){return " "1" "}}" ";", 300, 2100;
        classes_that_extend: "x=" "class extends " "a" "{}" ";", 8, 24;
        functions: "" "function f(a=" "1" "){}" ";", 300, 2100;
        namespaces: "" "namespace a{" "let b" "}" ";", 400, 2100;
        types_of_keys: "let x:" "keyof " "a" "" ";", 1900, 2100;
        types_in_brackets: "let x:" "(" "a" ")" ";", 1900, 2100;
        types_of_lists: "let x:a" "" "" "[]" ";", 4000, 120_000;
        types_of_functions: "let x:" "()=>" "a" "" ";", 1900, 2100;
        types_with_conditions: "let x:" "a extends b?c:" "d" "" ";", 1100, 2100;
        types_with_arguments: "let x:" "a<" "b" ">" ";", 1900, 2100;
        type_objects: "let x:" "{a:" "b" "}" ";", 1900, 2100;
        patterns: "let " "[" "a" "]" "=1;", 900, 2100;
    }

    #[test]
    fn what_honest_code_has_is_no_nesting() {
        let many = |n: usize, one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<String>();
        for source in [
            many(2000, &|i| format!("a.b{i}(c => d[{i}] + 1)\n")),
            format!("x = [{}]", many(2000, &|i| format!("{{ a: [{i}, 'b'] }},"))),
            format!("x = {}0", many(5000, &|i| format!("'text {i}' +\n"))),
            format!("x = {}0", many(500, &|i| format!("y === {i} ? z : "))),
            many(600, &|i| format!("if (x === {i}) {{ y() }} else ")) + ";",
            format!("switch (x) {{ {} }}", many(5000, &|i| format!("case {i}: if (a) b(); else c(); break;"))),
            format!("x = `{}`", many(2000, &|i| format!("text ${{a.b({i})}} "))),
            many(2000, &|i| format!("a = {i}, b(a), ")) + "c",
            format!("a{}", many(900, &|i| format!(".use({i})"))),
            format!("interface A {{ {} }}", many(400, &|i| format!("a{i}: string\n"))),
        ] {
            let start = source.chars().take(40).collect::<String>();
            assert_eq!(refusal(source), None, "{start}");
        }
    }

    #[test]
    fn a_file_that_ends_early_is_a_syntax_error() {
        for source in ["1;- - -", "a =>", "<a>(", "`${", "class extends", "let x: keyof", "f<", "a ? (b) :"] {
            let message = refusal(source.to_owned()).unwrap();
            assert!(!message.contains("cannot make sense"), "{source}: {message}");
        }
    }

    #[test]
    fn a_file_may_have_eight_mebibytes() {
        let source = |bytes: usize| format!("/*{}*/", " ".repeat(bytes - 4));
        assert_eq!(refusal(source(LONGEST)), None);
        assert!(refusal(source(LONGEST + 1)).unwrap().contains("longer than 8 MiB"));
    }
}
