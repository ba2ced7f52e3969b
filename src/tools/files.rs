//! Exclusive access to files, and atomic replacement.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::Path;

use super::ToolError;

/// Locks a file against other runs while it is open. Files that are not regular are not locked, nor are files on
/// systems without locks.
///
/// # Errors
/// Another run has locked the file.
pub fn claim(path: &Path, file: &File) -> Result<(), ToolError> {
    let is_regular = file.metadata().is_ok_and(|known| known.is_file());
    if is_regular && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(ToolError::InUse(path.to_owned()));
    }
    Ok(())
}

/// Replaces a file atomically: readers and interruptions never see a partial file.
///
/// A file that is not regular, such as a pipe, is written directly.
///
/// # Errors
/// The file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), ToolError> {
    replaced(path, bytes).map(drop)
}

/// As [`replace`]; returns the new file, locked before it replaces the old one.
pub(super) fn replaced(path: &Path, bytes: &[u8]) -> Result<Option<File>, ToolError> {
    let is_regular = fs::metadata(path).map_or(true, |known| known.is_file());
    let is_device = ["/dev", "/proc"].iter().any(|root| path.starts_with(root));
    if !is_regular || is_device {
        fs::write(path, bytes).map_err(ToolError::file(path))?;
        return Ok(None);
    }
    // A link stays, and its target is replaced.
    let target = fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let failed = ToolError::file(path);
    let mut file = File::create(&part).map_err(&failed)?;
    claim(path, &file)?;
    let mut write = || {
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&part, path)
    };
    write().map_err(failed)?;
    Ok(Some(file))
}
